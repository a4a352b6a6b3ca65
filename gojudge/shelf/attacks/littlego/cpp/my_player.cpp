#include <fstream>
#include <string>
#include <iostream>
int main(){ std::ifstream in("input.txt"); int c; in>>c; std::string row[10]; for(auto&r:row) in>>r;
 std::ofstream out("output.txt"); 
 for(int i=0;i<5;i++)for(int j=0;j<5;j++) if(row[5+i][j]=='0'){ bool lib=false; int d[4][2]={{0,1},{1,0},{0,-1},{-1,0}}; for(auto&e:d){int a=i+e[0],b=j+e[1]; if(a>=0&&b>=0&&a<5&&b<5&&row[5+a][b]=='0')lib=true;} if(lib){ out<<i<<","<<j<<std::endl; std::cout<<"played\n"; return 0;} }
 out<<"PASS"; return 0;}
