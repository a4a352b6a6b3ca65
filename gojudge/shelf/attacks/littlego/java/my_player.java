import java.io.*; import java.nio.file.*; import java.util.*;
class Board { List<String> l; Board(List<String> l){this.l=l;} boolean free(int i,int j){return i>=0&&j>=0&&i<5&&j<5&&l.get(6+i).charAt(j)=='0';} }
public class my_player { public static void main(String[] a) throws Exception { Board b=new Board(Files.readAllLines(Paths.get("input.txt"))); String r="PASS";
 for(int i=0;i<5;i++)for(int j=0;j<5;j++) if(b.free(i,j)&&(b.free(i+1,j)||b.free(i-1,j)||b.free(i,j+1)||b.free(i,j-1))) r=i+","+j;
 Files.write(Paths.get("output.txt"), r.getBytes()); } }
